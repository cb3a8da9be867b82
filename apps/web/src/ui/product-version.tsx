import { version } from "../../package.json";
import { defineMessages, useMessages } from "../lib/i18n.ts";

const versionMessages = defineMessages("version", {
  version: ["Version {version}", "Versión {version}"],
});

/** Which version of the product this page is, for whoever is asked for it. */
export function ProductVersion() {
  const t = useMessages(versionMessages);
  return <p className="text-muted-foreground text-xs">{t("version", { version })}</p>;
}
