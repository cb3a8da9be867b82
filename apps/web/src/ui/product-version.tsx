import { version } from "../../package.json";
import { defineMessages, useMessages } from "../lib/i18n.ts";

const versionMessages = defineMessages("version", {
  version: ["Version {version}", "Versión {version}"],
});

/** The version of this page, for support requests. */
export function ProductVersion() {
  const t = useMessages(versionMessages);
  return <p className="text-muted-foreground text-xs">{t("version", { version })}</p>;
}
