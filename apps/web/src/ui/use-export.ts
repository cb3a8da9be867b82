import { pageHeaders } from "@portal/contract/entities/fields";
import { useMutation } from "@tanstack/react-query";
import { fetchFileAnswer } from "../lib/api.ts";
import { recordedText } from "../lib/errors.ts";
import { toast } from "./toast.ts";

/** Downloads a file under a name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

interface ExportWords {
  doneTitle: string;
  /** Text with the number of rows in the file. */
  done: (count: number) => string;
  failedTitle: string;
  failedText: string;
}

/**
 * Downloads a list from its export route, and shows how many rows the file has, as counted by the server. `fileOf` returns address and file
 * name of the requested list, `words` the texts of the toasts in the current language.
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
