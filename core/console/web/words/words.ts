import { signal } from '@preact/signals'
import type { Schemas } from '../api/client.ts'
import { loadPart } from '../load-part.ts'
import type { bulk } from './en/bulk.ts'
import type { cash } from './en/cash.ts'
import type { customers } from './en/customers.ts'
import type { English } from './en/index.ts'
import type { pack } from './en/pack.ts'
import type { send } from './en/send.ts'
import type { today } from './en/today.ts'

/** Languages of the console. */
export const languages = ['en', 'fr', 'ar'] as const
/** Language of the console. */
export type Language = (typeof languages)[number]

/** Names of the languages, each in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français', ar: 'العربية' }

/** Forms of a text by number, as `Intl.PluralRules` names them. `{count}` stands for the number. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }
/** A text, or its forms by number. */
export type Word = string | Plural
/** Texts of a language: the same keys as in English, each of the same sort. */
export type WordsLike<Of> = { readonly [Key in keyof Of]: Of[Key] extends string ? string : Plural }
/** Texts of the frame of the console and of its first pages, which are loaded with it. */
export type Words = WordsLike<English>
/** Sentences of errors by their code. English has none: it shows the server's own, which name the values. */
export type ErrorWords = Readonly<Record<Schemas['Error']['error']['code'], string>>
/** Texts that are loaded with their page, by its name. */
interface PageTexts {
  readonly bulk: typeof bulk
  readonly cash: typeof cash
  readonly customers: typeof customers
  readonly pack: typeof pack
  readonly send: typeof send
  readonly today: typeof today
}
/** Page whose texts are loaded with it. */
export type WordedPage = keyof PageTexts
/** Key of a text. */
export type WordKey = keyof English | { [Page in WordedPage]: keyof PageTexts[Page] }[WordedPage]

const loaders: Readonly<Record<Language, () => Promise<{ readonly words: Words; readonly errors?: ErrorWords }>>> = {
  en: loadPart(() => import('./en/index.ts')),
  fr: loadPart(() => import('./fr/index.ts')),
  ar: loadPart(() => import('./ar/index.ts')),
}

const pageLoaders: { readonly [Page in WordedPage]: Readonly<Record<Language, () => Promise<WordsLike<PageTexts[Page]>>>> } = {
  bulk: {
    en: loadPart(async () => (await import('./en/bulk.ts')).bulk),
    fr: loadPart(async () => (await import('./fr/bulk.ts')).bulk),
    ar: loadPart(async () => (await import('./ar/bulk.ts')).bulk),
  },
  cash: {
    en: loadPart(async () => (await import('./en/cash.ts')).cash),
    fr: loadPart(async () => (await import('./fr/cash.ts')).cash),
    ar: loadPart(async () => (await import('./ar/cash.ts')).cash),
  },
  customers: {
    en: loadPart(async () => (await import('./en/customers.ts')).customers),
    fr: loadPart(async () => (await import('./fr/customers.ts')).customers),
    ar: loadPart(async () => (await import('./ar/customers.ts')).customers),
  },
  pack: {
    en: loadPart(async () => (await import('./en/pack.ts')).pack),
    fr: loadPart(async () => (await import('./fr/pack.ts')).pack),
    ar: loadPart(async () => (await import('./ar/pack.ts')).pack),
  },
  send: {
    en: loadPart(async () => (await import('./en/send.ts')).send),
    fr: loadPart(async () => (await import('./fr/send.ts')).send),
    ar: loadPart(async () => (await import('./ar/send.ts')).send),
  },
  today: {
    en: loadPart(async () => (await import('./en/today.ts')).today),
    fr: loadPart(async () => (await import('./fr/today.ts')).today),
    ar: loadPart(async () => (await import('./ar/today.ts')).today),
  },
}

const STORED = 'serai.language'
const known = (code: string | null | undefined) => languages.find((each) => each === code?.slice(0, 2).toLowerCase())
const preferred = (): Language =>
  known(localStorage.getItem(STORED)) ?? navigator.languages.map(known).find((each) => each !== undefined) ?? 'en'

/** Language of the page. Changes when its words have loaded. */
export const language = signal<Language>(preferred())
let words: Readonly<Record<string, Word>> | undefined
/** Pages whose texts another language must bring too. */
const opened = new Set<WordedPage>()
let errors: ErrorWords | undefined

/** Loads the words of a language and shows the page in it. `isChosen` remembers it in this browser. */
export async function loadWords(wanted: Language = language.peek(), isChosen = false): Promise<void> {
  const pages = [...opened]
  const [loaded, ...ofPages] = await Promise.all([loaders[wanted](), ...pages.map((page) => pageLoaders[page][wanted]())])
  // A page that was opened meanwhile needs its words too.
  if (pages.length < opened.size) return loadWords(wanted, isChosen)
  words = Object.assign({}, loaded.words, ...ofPages)
  errors = loaded.errors
  if (isChosen) localStorage.setItem(STORED, wanted)
  document.documentElement.lang = wanted
  document.documentElement.dir = wanted === 'ar' ? 'rtl' : 'ltr'
  language.value = wanted
}

/** Loads the words of a page in the language that is shown, again when another language is shown meanwhile. */
export async function loadPageWords(page: WordedPage): Promise<void> {
  opened.add(page)
  const asked = language.peek()
  const loaded = await pageLoaders[page][asked]()
  if (language.peek() !== asked) return loadPageWords(page)
  words = { ...words, ...loaded }
}

/** Returns true when the user has chosen a language in this browser. */
export const hasChosenLanguage = () => localStorage.getItem(STORED) !== null

type Values = Readonly<Record<string, string | number>>

/** Returns a text in the language of the page, with `{name}` replaced by its value. `count` also decides the form of the text. */
export function t(key: WordKey, values: Values = {}): string {
  const word: Word | undefined = words?.[key]
  if (word === undefined) return key
  return (typeof word === 'string' ? word : formOf(word, Number(values.count ?? 0))).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

/** Returns the text of a key that may not exist, such as the one of a warning's code. */
export const findWord = (key: string): string | undefined => {
  const word = words?.[key]
  return typeof word === 'string' ? word : undefined
}

/** Returns the sentence of an error in the language of the page; undefined for an unknown code, and in English. */
export const findErrorWords = (code: string): string | undefined => (errors as Readonly<Record<string, string>> | undefined)?.[code]

const pluralRules = new Map<Language, Intl.PluralRules>()
function formOf(word: Plural, count: number): string {
  const wanted = language.value
  const rules = pluralRules.get(wanted) ?? new Intl.PluralRules(wanted)
  pluralRules.set(wanted, rules)
  return word[rules.select(count)] ?? word.other
}

const grouping = new Intl.NumberFormat('fr', { maximumFractionDigits: 2 })
/** Formats a number. All languages group alike, with Latin digits, so that a number read aloud matches the one on paper. */
export const formatNumber = (value: number): string => grouping.format(value)
