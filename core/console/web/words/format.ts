import { formatNumber, type Language, language } from './words.ts'

/** Symbols of currencies where shopkeepers write one; others are shown by their code. */
const symbols: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  DZD: { en: 'DA', fr: 'DA', ar: 'د.ج' },
  TND: { en: 'DT', fr: 'DT', ar: 'د.ت' },
  MAD: { en: 'DH', fr: 'DH', ar: 'د.م' },
  EUR: { en: '€', fr: '€', ar: '€' },
  USD: { en: '$', fr: '$', ar: '$' },
}

/** Formats an amount with its currency behind it, in every language alike: `8 300 DA`. The sign of a negative one stays before it in Arabic. */
export const formatMoney = (amount: number, currency: string): string =>
  `${amount < 0 ? `\u2066${formatNumber(amount)}\u2069` : formatNumber(amount)}\u00a0${symbols[currency]?.[language.value] ?? currency}`

const formats = new Map<string, Intl.DateTimeFormat>()
function dateFormat(kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.value} ${kind} ${options.timeZone}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(language.value === 'ar' ? 'ar-DZ-u-nu-latn' : language.value, { hourCycle: 'h23', ...options })
  formats.set(key, made)
  return made
}

/** Formats a moment as day and time in the store's time zone: `27 nov., 01:20`. */
export const formatMoment = (at: string, timeZone: string): string =>
  dateFormat('moment', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(at))

/** Formats a moment as time of day in the store's time zone. */
export const formatTime = (at: string | number, timeZone: string): string =>
  dateFormat('time', { hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(at))

/** Formats a moment as a day with its year, in the store's time zone. */
export const formatDay = (at: string, timeZone: string): string =>
  dateFormat('day', { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(new Date(at))

/** Formats a moment as a month with its year, in the store's time zone. */
export const formatMonth = (at: string, timeZone: string): string =>
  dateFormat('month', { month: 'long', year: 'numeric', timeZone }).format(new Date(at))

/** Formats a phone number in groups of two, without the country's code where it is the store's: `0605 65 52 88`. */
export function formatPhone(phone: string): string {
  if (/^\+213\d{9}$/.test(phone)) return `0${phone.slice(4)}`.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)$/, '$1 $2 $3 $4')
  return phone
}

/** Wraps a name that is put into a sentence, so that its direction does not move the words around it. */
export const isolate = (text: string): string => `\u2068${text}\u2069`
