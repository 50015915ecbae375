import type { App } from "../../http/server.ts";
import type { ConsoleParts } from "../parts.ts";
import { bannerScreens } from "./banner-screens.tsx";
import { companyScreens } from "./company-screens.tsx";
import { endpointScreens } from "./endpoint-screens.tsx";
import { freezeScreens } from "./freeze-screens.tsx";
import { healthScreens } from "./health-screens.tsx";
import { requestScreens } from "./request-screens.tsx";
import { workScreens } from "./work-screens.tsx";

/** What operators see of the whole installation, and the few things they may do about it. */
export function operatorScreens(app: App, parts: ConsoleParts): void {
  healthScreens(app, parts);
  companyScreens(app, parts);
  freezeScreens(app, parts);
  requestScreens(app, parts);
  workScreens(app, parts);
  endpointScreens(app, parts);
  bannerScreens(app, parts);
}
