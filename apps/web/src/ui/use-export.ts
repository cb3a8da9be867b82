import { pageHeaders } from "@portal/contract/entities/fields";
import { useMutation } from "@tanstack/react-query";
import { fetchFileAnswer } from "../lib/api.ts";
import { recordedText } from "../lib/errors.ts";
import { saveFile } from "../lib/save-file.ts";
import { toast } from "./toast.ts";

interface ExportWords {
  doneTitle: string;
  /** How many rows the file holds, in words. */
  done: (count: number) => string;
  failedTitle: string;
  failedText: string;
}

/**
 * Saves a list as the file that its export route answers with, and says how many rows it holds, as the server counted them. `fileOf` tells
 * the address and the name of what is asked for, `words` the texts of the toasts in the language of that moment.
 */
export function useExport<Asked>(
  fileOf: (asked: Asked) => { url: string; name: string },
  words: () => ExportWords,
) {
  return useMutation({
    mutationFn: async (asked: Asked) => {
      const { url, name } = fileOf(asked);
      const { file, headers } = await fetchFileAnswer(url);
      saveFile(file, name);
      return Number(headers.get(pageHeaders.total));
    },
    onSuccess: (count) => {
      const { doneTitle, done } = words();
      toast({ title: doneTitle, description: done(count), tone: "success" });
    },
    onError: (error) => {
      const { failedTitle, failedText } = words();
      toast({ title: failedTitle, description: recordedText(error, failedText), error, tone: "destructive" });
    },
  });
}
