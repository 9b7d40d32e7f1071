import { findWord } from '../../../../words/words.ts'
import type { ShownFilter } from './filters.ts'

const wordsOf: Partial<Record<ShownFilter, (value: string) => string | undefined>> = {
  parcelStatus: (value) => findWord(`parcel.${value}`) ?? findWord(`orders.parcelStatus.${value}`),
  deliveryType: (value) => findWord(`orders.delivery.${value}`),
  paymentStatus: (value) => findWord(`orders.paymentStatus.${value}`),
  source: (value) => findWord(`orders.source.${value}`),
  printed: (value) => findWord(`orders.printed.${value}`),
}

/** Returns the word of a value of a filter. Undefined for agents and carriers, which have names, and for what is typed. */
export const wordOfValue = (filter: ShownFilter, value: string): string | undefined => wordsOf[filter]?.(value)
