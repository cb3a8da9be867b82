/** Unregisters service workers that older versions left behind (specification §7). */
export async function unregisterServiceWorkers(): Promise<void> {
  try {
    const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    await Promise.all(registrations.map((registration) => registration.unregister()));
  } catch {
    // Refused in private windows: then there is none to remove either.
  }
}
