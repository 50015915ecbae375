export const accountPath = "/console/team/account";
export const passkeysPath = `${accountPath}/passkeys`;
