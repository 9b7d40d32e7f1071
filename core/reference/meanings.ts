import { connectors } from './meanings/connectors.ts'
import { errorCodes } from './meanings/error-codes.ts'
import { events } from './meanings/events.ts'
import type { Meanings } from './meanings/group.ts'
import { identity } from './meanings/identity.ts'
import { logistics } from './meanings/logistics.ts'
import { money } from './meanings/money.ts'
import { orders } from './meanings/orders.ts'
import { byPlace } from './meanings/places.ts'
import { platform } from './meanings/platform.ts'
import { shop } from './meanings/shop.ts'
import { sortMeaningOf } from './meanings/sorting.ts'
import { tools } from './meanings/tools.ts'

const groups: readonly Meanings[] = [
  errorCodes,
  ...orders,
  ...logistics,
  ...shop,
  ...money,
  ...connectors,
  ...events,
  ...identity,
  ...platform,
  ...tools,
]

/**
 * Returns the meaning of an enum value, or undefined if none is written. A meaning for the place comes first; else the smallest group with all
 * values of the enum has it.
 */
export function meaningOf(value: string, among: readonly string[], place: string): string | undefined {
  if (isSortOrder(value, among)) return sortMeaningOf(value)
  const whole = groups.filter((group) => among.every((one) => Object.hasOwn(group, one)))
  const smallest = whole.toSorted((a, b) => Object.keys(a).length - Object.keys(b).length)[0]
  return byPlace[place]?.[value] ?? smallest?.[value]
}

/** Returns true for the values of `sort`, where each field stands with and without a minus. */
const isSortOrder = (value: string, among: readonly string[]) =>
  value.startsWith('-') ? among.includes(value.slice(1)) : among.includes(`-${value}`)
