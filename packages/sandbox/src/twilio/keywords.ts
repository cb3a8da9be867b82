export type Keyword = "stop" | "start" | "help";

/** Twilio's standard opt-out keywords (support article 223134027): the whole text is the keyword, in any case. */
const WORDS: Record<string, Keyword> = {
  STOP: "stop",
  STOPALL: "stop",
  UNSUBSCRIBE: "stop",
  CANCEL: "stop",
  END: "stop",
  QUIT: "stop",
  REVOKE: "stop",
  OPTOUT: "stop",
  START: "start",
  YES: "start",
  UNSTOP: "start",
  HELP: "help",
  INFO: "help",
};

export function keywordOf(body: string): Keyword | null {
  return WORDS[body.trim().toUpperCase()] ?? null;
}

/** Twilio's automatic replies. */
export const KEYWORD_REPLIES = {
  stop: "You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.",
  start:
    "You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.",
  help: "Reply STOP to unsubscribe. Msg&Data Rates May Apply.",
};
