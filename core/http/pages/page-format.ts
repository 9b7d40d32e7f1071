import type { Language } from './language.ts'

/** Digits of the Latin script everywhere, as shops in the Maghreb write them. */
const localeOf = (language: Language) => (language === 'ar' ? 'ar-u-nu-latn' : language)

/** An amount in the words of a page. */
export const moneyText = (language: Language, currency: string, amount: number): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(amount)

/** A day in the words of a page, in UTC. */
export const dayText = (language: Language, at: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
