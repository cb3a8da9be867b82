import { browserOf } from "@portal/contract/browser-of";
import type { CurrentUser } from "@portal/contract/entities/user";
import { getPush, type PushDevice, testPush } from "@portal/contract/routes/push";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { formatDate } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery, invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { disablePush, enablePush, pushAbility } from "../../notifications/register-worker.ts";
import { settingsMessages } from "./messages.ts";

const pushMessages = defineMessages("push", {
  title: ["Push notifications on this device", "Notificaciones push en este dispositivo"],
  on: [
    "On. New texts, missed calls and due follow-ups come even while the portal is closed, until you sign out here.",
    "Activadas. Los mensajes nuevos, las llamadas perdidas y los seguimientos llegan aunque el portal esté cerrado, hasta que cierres sesión aquí.",
  ],
  able: [
    "Off. Turn them on to get new texts, missed calls and due follow-ups even while the portal is closed.",
    "Desactivadas. Actívalas para recibir mensajes nuevos, llamadas perdidas y seguimientos aunque el portal esté cerrado.",
  ],
  unsafe: [
    "Browsers allow them on https addresses only. Ask your administrator for one.",
    "Los navegadores solo las permiten en direcciones https. Pide una a tu administrador.",
  ],
  install: [
    "On an iPhone or iPad, add the portal to your home screen first: Share, then Add to Home Screen. Open it from there and turn them on here.",
    "En un iPhone o iPad, primero agrega el portal a la pantalla de inicio: Compartir y luego Agregar a inicio. Ábrelo desde allí y actívalas aquí.",
  ],
  absent: [
    "This browser cannot take them; private windows never can.",
    "Este navegador no puede recibirlas; las ventanas privadas nunca pueden.",
  ],
  blocked: [
    "This browser blocks them for this site. Open the site settings beside the address, allow notifications, and come back.",
    "Este navegador las bloquea para este sitio. Abre la configuración del sitio junto a la dirección, permite las notificaciones y vuelve aquí.",
  ],
  turnOn: ["Turn on push notifications", "Activar notificaciones push"],
  turnOff: ["Turn off push notifications", "Desactivar notificaciones push"],
  test: ["Send me a test", "Enviarme una prueba"],
  others: ["Your other devices", "Tus otros dispositivos"],
  device: ["{browser} on {system}", "{browser} en {system}"],
  since: ["Since {date}", "Desde el {date}"],
  remove: ["Remove", "Quitar"],
  removeLabel: ["Remove {device}", "Quitar {device}"],
  refusedTitle: ["Not allowed", "Sin permiso"],
  failedTitle: ["Push notifications", "Notificaciones push"],
  failedText: [
    "They could not be turned on. Please try again.",
    "No se pudieron activar. Vuelve a intentarlo.",
  ],
  testedTitle: ["Test sent", "Prueba enviada"],
  testedText: [
    "It shows on this device within a few seconds.",
    "Aparecerá en este dispositivo en unos segundos.",
  ],
});

/** A mutation for devices that refetches them afterwards. */
function usePushAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
) {
  const client = useQueryClient();
  const t = useMessages(pushMessages);
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => onDone?.(answer),
    onError: (error) =>
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      }),
    onSettled: () => invalidatePaths(client, [getPush.path]),
  });
}

function useDeviceName() {
  const t = useMessages(pushMessages);
  const all = useMessages(settingsMessages);
  return ({ userAgent }: PushDevice) => {
    const { browser, system } = browserOf(userAgent);
    const name = browser ?? all("unknownBrowser");
    return system ? t("device", { browser: name, system }) : name;
  };
}

function OtherDevices({ devices }: { devices: PushDevice[] }) {
  const t = useMessages(pushMessages);
  const nameOf = useDeviceName();
  const remove = usePushAct(disablePush);
  const titleId = useId();
  return (
    <div className="grid gap-1 border-t pt-2">
      <p id={titleId} className="text-[0.8125rem] text-muted-foreground">
        {t("others")}
      </p>
      <ul aria-labelledby={titleId} className="grid gap-1">
        {devices.map((device) => (
          <li key={device.id} className="flex items-center justify-between gap-x-4">
            <span className="min-w-0 text-sm">
              {nameOf(device)}{" "}
              <span className="text-[0.8125rem] text-muted-foreground">
                {t("since", { date: formatDate(device.createdAt) })}
              </span>
            </span>
            <Button
              variant="ghost"
              size="sm"
              aria-label={t("removeLabel", { device: nameOf(device) })}
              pending={remove.isPending && remove.variables?.id === device.id}
              onClick={() => remove.mutate(device)}
            >
              {t("remove")}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Push notifications of this browser, and the other devices. The permission is requested on the press only. */
export function PushRow() {
  const t = useMessages(pushMessages);
  const client = useQueryClient();
  const { data: user } = useQuery(currentUserQuery());
  const { data: push } = useQuery(routeQuery(getPush));
  const hint = useId();
  const current = push?.devices.find((device) => device.current);
  const others = push?.devices.filter((device) => !device.current) ?? [];
  const ability = pushAbility();

  const turnOn = usePushAct(
    async ({ id }: CurrentUser) => {
      // Fetched at the press, as the key may have been replaced.
      const now = await client.fetchQuery({ ...routeQuery(getPush), staleTime: 0 });
      return enablePush(now, id);
    },
    (isAllowed) => {
      if (!isAllowed) toast({ title: t("refusedTitle"), description: t("blocked"), tone: "destructive" });
    },
  );
  const turnOff = usePushAct(disablePush);
  const test = usePushAct(
    () => callRoute(testPush),
    () => toast({ title: t("testedTitle"), description: t("testedText"), tone: "success" }),
  );

  return (
    <div className="grid gap-3 rounded-md border bg-muted/40 p-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
          <p className="font-medium text-sm">{t("title")}</p>
          <p id={hint} role="status" className="text-[0.8125rem] text-muted-foreground">
            {push || ability !== "able" ? t(current && ability === "able" ? "on" : ability) : null}
          </p>
        </div>
        {push && user && ability === "able" ? (
          <div className="flex flex-wrap gap-2">
            {current ? (
              <Button
                variant="secondary"
                size="sm"
                pending={test.isPending}
                onClick={() => test.mutate(undefined)}
              >
                {t("test")}
              </Button>
            ) : null}
            <Button
              variant="secondary"
              size="sm"
              aria-describedby={hint}
              pending={turnOn.isPending || turnOff.isPending}
              onClick={() => (current ? turnOff.mutate(current) : turnOn.mutate(user))}
            >
              {t(current ? "turnOff" : "turnOn")}
            </Button>
          </div>
        ) : null}
      </div>
      {others.length > 0 ? <OtherDevices devices={others} /> : null}
    </div>
  );
}
