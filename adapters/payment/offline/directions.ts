import { beginning, type Checkout, type CheckoutMade } from 'serai/payment'
import type { Context } from './fields.ts'

type Said = 'account' | 'holder' | 'bank' | 'place' | 'note' | 'reference'

const words: Readonly<Record<Checkout['language'], Readonly<Record<Said, string>>>> = {
  ar: { account: 'الحساب', holder: 'صاحب الحساب', bank: 'البنك', place: 'الدفع نقدًا', note: 'ملاحظة', reference: 'اذكروا' },
  fr: { account: 'Compte', holder: 'Titulaire', bank: 'Banque', place: 'En espèces', note: 'À savoir', reference: 'À indiquer' },
  en: { account: 'Account', holder: 'Holder', bank: 'Bank', place: 'In cash', note: 'Please note', reference: 'Say' },
}
const displayedSettings = ['account', 'holder', 'bank', 'place', 'note'] as const

/** Builds the payer's instructions: the store's bank details, and the reference to quote. */
export function directionsFor({ settings }: Context, { language, reference }: Checkout): NonNullable<CheckoutMade['directions']> {
  const say = words[language]
  const filled = displayedSettings.map((name) => ({ name: say[name], value: displayText(settings[name] ?? '') }))
  return [...filled, { name: say.reference, value: displayText(reference) }].filter(({ value }) => value !== '')
}

const VALUE_MAX = 500

/** Makes a text one line, without text-direction marks. */
const displayText = (text: string) => beginning(text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim(), VALUE_MAX)
