const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/OPR\/|Opera Mini|Opera\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

const shownMax = 60;

/** What a person recognises of what a browser says it is: "Firefox, Windows". */
export function nameDevice(userAgent: string): string {
  const found = [browsers, systems].flatMap(
    (list) => list.find(([shape]) => shape.test(userAgent))?.[1] ?? [],
  );
  return found.length > 0 ? found.join(", ") : userAgent.slice(0, shownMax) || "—";
}
