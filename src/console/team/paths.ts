export const teamPath = "/console/team";
export const requestsPath = `${teamPath}/requests`;
export const rulesPath = `${teamPath}/rules`;
export const changesPath = `${teamPath}/changes`;
export const accountPath = `${teamPath}/account`;
export const passkeysPath = `${accountPath}/passkeys`;
