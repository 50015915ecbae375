/** A metric as an expression of PromQL asks for it. */
export interface Asked {
  readonly name: string;
  /** The labels it is selected by, and by which values where that is an equality. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/** Reads as much of an expression as is needed to compare it with what a service shows. */
export function readPromql(expression: string): { asked: Asked[]; groupedBy: string[] } {
  const asked = [
    ...expression.matchAll(/\b((?:cauri|process|node)_[a-z_]+|up)\b(?!\s*\()(?:\{([^}]*)\})?/g),
  ].map(([, name = "", selector = ""]) => {
    const labels = new Map<string, readonly string[]>();
    for (const [, label = "", operator, value = ""] of selector.matchAll(
      /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g,
    ))
      labels.set(label, operator === "=" || /^[\w|]+$/.test(value) ? value.split("|") : []);
    return { name, labels };
  });
  const groupedBy = [...expression.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, labels = ""]) => labels.split(",").map((label) => label.trim()),
  );
  return { asked, groupedBy };
}
