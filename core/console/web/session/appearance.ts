import { effect, signal } from '@preact/signals'

const themes = ['system', 'light', 'dark'] as const
/** Colours of the console. */
export type Theme = (typeof themes)[number]
const densities = ['comfortable', 'compact'] as const
/** Height of table rows. */
export type Density = (typeof densities)[number]

/** Signal whose value this browser remembers. A stored value that is not among `allowed` counts as the first of them. */
function createStoredSignal<Value extends string>(key: string, allowed: readonly [Value, ...Value[]]) {
  const stored = localStorage.getItem(key)
  const value = signal<Value>(allowed.find((each) => each === stored) ?? allowed[0])
  effect(() => localStorage.setItem(key, value.value))
  return value
}

/** Chosen colours. */
export const theme = createStoredSignal<Theme>('serai.theme', themes)
/** Chosen height of rows. */
export const density = createStoredSignal<Density>('serai.density', densities)

/** Writes the appearance to the document, now and whenever it changes. */
export function applyAppearance(): void {
  const { dataset } = document.documentElement
  effect(() => {
    if (theme.value === 'system') delete dataset.theme
    else dataset.theme = theme.value
  })
  effect(() => {
    dataset.density = density.value
  })
}
