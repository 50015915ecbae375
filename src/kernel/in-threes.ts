/** The digits of a whole number in groups of three: 25,000. What stands before them, such as a sign, stays. */
export function inThrees(digits: string, separator: string): string {
  const groups: string[] = [];
  let end = digits.length;
  for (; end > 3 && isDigit(digits[end - 4]); end -= 3) groups.unshift(digits.slice(end - 3, end));
  return [digits.slice(0, end), ...groups].join(separator);
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}
