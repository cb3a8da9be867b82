/** Makes a dialog a drawer at the right, below the dialogs that are opened from it. */
export const drawerClasses =
  "z-40 top-0 right-0 left-auto h-dvh max-h-dvh w-full max-w-xl translate-x-0 translate-y-0 rounded-none border-y-0 border-r-0 sm:w-[calc(100vw-3rem)]";
