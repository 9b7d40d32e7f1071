import type { Language } from './language.ts'

/** Returns the locale. Arabic uses Latin digits, as shops in the Maghreb do. */
const localeOf = (language: Language) => (language === 'ar' ? 'ar-u-nu-latn' : language)

/** Formats an amount for a page. */
export const formatMoney = (language: Language, currency: string, amount: number): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(amount)

/** Formats a date for a page, in UTC. */
export const formatDay = (language: Language, at: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
