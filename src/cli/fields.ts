import { Option } from "commander";
import { kycStatuses } from "../customers/customer.ts";
import { countryCodes } from "../kernel/countries.ts";
import { parseTimeZone } from "./read-options.ts";

export function country(): Option {
  const what = "whose phone numbers payers may type without the country code (DEFAULT_COUNTRY)";
  return new Option("--country <code>", what).choices(countryCodes);
}

export function timeZone(): Option {
  const what = "the time that pages tell, such as Africa/Niamey (that of the country)";
  return new Option("--time-zone <name>", what).argParser(parseTimeZone);
}

export function kyc(): Option {
  return new Option("--kyc <status>", "identification status").choices([...kycStatuses]);
}
