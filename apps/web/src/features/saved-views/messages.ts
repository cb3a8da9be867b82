import { defineMessages } from "../../lib/i18n.ts";

export const viewMessages = defineMessages("saved-views", {
  views: ["Views", "Vistas"],
  everybodys: ["For everybody", "De todo el equipo"],
  own: ["My views", "Mis vistas"],
  none: [
    "Choose filters and columns, then save them here under a name.",
    "Elige filtros y columnas y guárdalos aquí con un nombre.",
  ],
  count_one: ["{n} row", "{n} fila"],
  count_other: ["{n} rows", "{n} filas"],
  edit: ["Edit views", "Editar vistas"],
  done: ["Done", "Listo"],
  name: ["Name of {name}", "Nombre de {name}"],
  up: ["Move {name} up", "Subir {name}"],
  down: ["Move {name} down", "Bajar {name}"],
  delete: ["Delete {name}", "Eliminar {name}"],
  saveLabel: ["Save this view as", "Guardar esta vista como"],
  forEverybody: ["For everybody", "Para todo el equipo"],
  save: ["Save", "Guardar"],
  copy: ["Copy link of {name}", "Copiar el enlace de {name}"],
  copiedTitle: ["Link copied", "Enlace copiado"],
  copiedText: [
    "Whoever opens it sees the rows that are theirs to see.",
    "Quien lo abra verá las filas que le corresponde ver.",
  ],
  savedTitle: ["View saved", "Vista guardada"],
  failedTitle: ["View not saved", "No se guardó la vista"],
  loadFailed: ["The views could not be loaded.", "No se pudieron cargar las vistas."],
});
