import type { Meanings } from './meanings/group.ts'
import { money } from './meanings/money.ts'
import { orders } from './meanings/orders.ts'
import { platform } from './meanings/platform.ts'
import { tools } from './meanings/tools.ts'

const groups: readonly Meanings[] = [...orders, ...money, ...tools, ...platform]

const SORTED = /^-?[a-z][A-Za-z]*$/

/**
 * Returns the meaning of an enum value, or undefined if none is written. Of several groups with the value, picks the one whose values match
 * the enum best.
 */
export function meaningOf(value: string, among: readonly string[]): string | undefined {
  if (among.includes(`-${value}`) || (value.startsWith('-') && among.includes(value.slice(1)))) return sorting(value)
  const known = groups.filter((group) => Object.hasOwn(group, value))
  const closest = known.toSorted((a, b) => distance(a, among) - distance(b, among))[0]
  return closest?.[value] ?? happened(value)
}

/** Derives the meaning of an event from its name: `order.status_changed` reads "order: status changed". */
const happened = (value: string) => (/^[a-z_]+\.[a-z_]+$/.test(value) ? value.replace('.', ': ').replaceAll('_', ' ') : undefined)

/** Counts the values that only one of the group and the enum has. */
function distance(group: Meanings, among: readonly string[]): number {
  const own = Object.keys(group)
  const shared = own.filter((value) => among.includes(value)).length
  return own.length + among.length - 2 * shared
}

const sorting = (value: string) => {
  const field = value.replace(/^-/, '')
  return SORTED.test(value) ? `by ${field}, the ${value.startsWith('-') ? 'newest or largest' : 'oldest or smallest'} first` : undefined
}
