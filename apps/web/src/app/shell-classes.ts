/** Layout classes of the shell, which the skeleton of index.html repeats. */
export const chromeClasses = (isDemo: boolean) =>
  isDemo ? "[--chrome:5.25rem] [html[data-is-list]_&]:[--chrome:4.75rem]" : "[--chrome:3.5rem]";
export const shellClasses = (isDemo: boolean) => `flex min-h-dvh flex-col ${chromeClasses(isDemo)}`;
export const topBarClasses =
  "grid h-14 shrink-0 grid-cols-[1fr_auto_1fr] items-center gap-2 border-b bg-surface px-3 sm:px-4";
export const sidebarClasses =
  "sticky top-(--chrome) flex h-[calc(100dvh-var(--chrome))] shrink-0 flex-col border-r bg-surface";
export const contentClasses = "mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 lg:px-8 lg:py-8";
