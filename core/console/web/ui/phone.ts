import { signal } from '@preact/signals'

const query = matchMedia('(max-width: 767px)')

/** True while the window is as narrow as a phone's: tables are lists of two-line rows then. */
export const isPhone = signal(query.matches)
query.addEventListener('change', ({ matches }) => {
  isPhone.value = matches
})
