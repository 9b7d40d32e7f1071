import { signal } from '@preact/signals'

/** False while the browser knows that it has no network. */
export const isOnline = signal(navigator.onLine)
addEventListener('online', () => {
  isOnline.value = true
})
addEventListener('offline', () => {
  isOnline.value = false
})
