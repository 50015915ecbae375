/** `1 row`, `2 rows`; with a verb that follows the number: `1 row is`, `2 rows are`. */
export function counted(count: number, what: string, one = "", many = one): string {
  const verb = count === 1 ? one : many;
  return `${count} ${what}${count === 1 ? "" : "s"}${verb === "" ? "" : ` ${verb}`}`;
}
