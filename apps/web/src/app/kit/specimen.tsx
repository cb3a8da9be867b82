import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { defineMessages, type MessageKey, useMessages } from "../../lib/i18n.ts";

const themes = ["light", "dark"] as const;

interface SectionProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

/** Components of one kind in the light and the dark theme. */
export function Section({ title, hint, children }: SectionProps) {
  const t = useMessages(kitMessages);
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold text-base">{title}</h2>
      {hint ? <p className="text-muted-foreground text-sm">{hint}</p> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        {themes.map((theme) => (
          <section
            key={theme}
            aria-label={`${title}, ${t(theme)}`}
            data-side={theme}
            style={{ colorScheme: theme }}
            className={cn(
              theme,
              "grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-xl border bg-background p-4 text-foreground",
            )}
          >
            {children}
          </section>
        ))}
      </div>
    </section>
  );
}

interface SpecimenProps {
  /** The component's name. */
  part: string;
  state: MessageKey<typeof kitMessages.pairs>;
  /** Layout of several specimens: side by side, or stacked. */
  isStack?: boolean;
  children: ReactNode;
}

/** A component in one of its states. */
export function Specimen({ part, state, isStack = false, children }: SpecimenProps) {
  const t = useMessages(kitMessages);
  return (
    <div data-part={part} data-state={state} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-muted-foreground text-xs leading-4">{t(state)}</p>
      <div
        className={
          isStack
            ? "grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2"
            : "flex min-w-0 flex-wrap items-center gap-2"
        }
      >
        {children}
      </div>
    </div>
  );
}

export const kitMessages = defineMessages("kit", {
  title: ["Kit", "Piezas"],
  subtitle: [
    "Every part of the interface in every state, light and dark. Only the demo has this page.",
    "Cada pieza de la interfaz en todos sus estados, en claro y en oscuro. Esta página solo existe en la demostración.",
  ],
  light: ["Light", "Claro"],
  dark: ["Dark", "Oscuro"],
  // Sections
  buttons: ["Buttons", "Botones"],
  buttonsHint: [
    "One look for each rank. The solid green one stands once on a screen.",
    "Un aspecto por cada rango. El verde pleno aparece una sola vez por pantalla.",
  ],
  badges: ["Badges", "Insignias"],
  badgesHint: ["Only for what deviates from the normal.", "Solo para lo que se sale de lo normal."],
  choices: ["Chips and segments", "Fichas y segmentos"],
  fields: ["Fields", "Campos"],
  boxes: ["Checkboxes and switches", "Casillas e interruptores"],
  figures: ["Stat tiles", "Cifras"],
  tables: ["Tables", "Tablas"],
  lists: ["Lists", "Listas"],
  states: ["Nothing, failed, on its way", "Vacío, con error, en camino"],
  tabs: ["Tabs", "Pestañas"],
  overlays: ["What lies over a page", "Lo que va sobre una página"],
  overlaysHint: ["Each in the theme of the page.", "Cada uno con el tema de la página."],
  // Overlays
  dialog: ["Dialog", "Diálogo"],
  question: ["Question", "Pregunta"],
  questionTitle: ["Take it away?", "¿Quitarlo?"],
  cancel: ["Cancel", "Cancelar"],
  menu: ["Menu", "Menú"],
  popover: ["Popover", "Panel emergente"],
  tooltip: ["Tooltip", "Descripción emergente"],
  toastInfo: ["Toast: news", "Aviso: novedad"],
  toastDone: ["Toast: done", "Aviso: hecho"],
  toastWarning: ["Toast: warning", "Aviso: advertencia"],
  toastFailed: ["Toast: failed", "Aviso: error"],
  // States
  rest: ["Rest", "Reposo"],
  hover: ["Hover", "Con el cursor"],
  focus: ["Focus", "Con el foco"],
  disabled: ["Disabled", "Desactivado"],
  busy: ["Busy", "Ocupado"],
  error: ["Error", "Error"],
  longText: ["Long text", "Texto largo"],
  chosen: ["Chosen", "Elegido"],
  partly: ["Partly chosen", "Elegido en parte"],
  sizes: ["Sizes", "Tamaños"],
  loading: ["Loading", "Cargando"],
  empty: ["Empty", "Vacío"],
  // Ranks
  primary: ["Main act", "Acción principal"],
  soft: ["Main act of a row", "Acción principal de una fila"],
  secondary: ["Other act", "Otra acción"],
  ghost: ["Act in a bar", "Acción en una barra"],
  destructive: ["Ends or takes away", "Termina o quita"],
  link: ["Act in a sentence", "Acción en una frase"],
  small: ["Small", "Pequeño"],
  medium: ["Medium", "Mediano"],
  large: ["Large", "Grande"],
  icon: ["Act without words", "Acción sin palabras"],
  // Samples
  name: ["Name", "Nombre"],
  value: ["Value", "Valor"],
  notes: ["Notes", "Notas"],
  hint: ["What stands here, in a line.", "Qué va aquí, en una línea."],
  fault: ["Enter a name.", "Escribe un nombre."],
  one: ["One", "Uno"],
  two: ["Two", "Dos"],
  three: ["Three", "Tres"],
  chooseOne: ["Choose one", "Elige uno"],
  calls: ["Calls", "Llamadas"],
  talkTime: ["Talk time", "Tiempo en llamada"],
  note: ["+12% from last period", "+12% frente al periodo anterior"],
  total: ["Total", "Total"],
  unread: ["Could not be read.", "No se pudo leer."],
  waiting: ["Waiting", "En espera"],
  list: ["Sample list", "Lista de muestra"],
  table: ["Sample table", "Tabla de muestra"],
  emptyTitle: ["Nothing here yet", "Aún no hay nada"],
  emptyText: ["What comes stands here.", "Lo que llegue aparecerá aquí."],
  act: ["Do it", "Hacerlo"],
  newItems: ["2 new", "2 nuevos"],
  latest: ["Latest", "Lo último"],
  long: [
    "A customer whose name and company take far more room than anybody thought of when the column was drawn",
    "Un cliente cuyo nombre y empresa ocupan mucho más lugar del que nadie pensó cuando se dibujó la columna",
  ],
});
