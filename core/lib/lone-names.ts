import { isLoneName, spellingPattern } from './person/person-terms.ts'

/** Finds names of one word that fill a name field. Texts with a phone number or e-mail address of others are left alone. */
export interface LoneNames {
  /** Returns true if a JSON or form text has such a field. */
  isIn(text: string): boolean
  replace(text: string, mark: string): string
  /** Returns true if a field of JSON is one. */
  isValue(key: string, value: string): boolean
  /** Returns true if a text has a phone number or an e-mail address. It may be of another person with that name. */
  isOfAnother(text: string): boolean
}

const WHO = 'customer|client|buyer|recipient|receiver|destinataire|contact|consignee|billing|shipping|full|first|last|family|given'
const KEY = `(?:(?:${WHO})[_ -]?)*(?:name|nom|pr(?:e|é|\\\\+u00e9)nom)(?:[_-]?(?:${WHO}|complet))?|customer|client|buyer|recipient|receiver|destinataire`
const QUOTE = '\\\\*"'
/** Matches contact fields that are not empty. */
const REACH = '(?:phone|mobile|tel|gsm|whatsapp|e-?mail)[\\w-]{0,40}'
const REACHED = new RegExp(`${REACH}(?:${QUOTE}\\s*:\\s*(?:${QUOTE})?|=)[+(\\w.-]{0,80}[\\p{Nd}@]`, 'iu')
const NOBODY: LoneNames = { isIn: () => false, replace: (text) => text, isValue: () => false, isOfAnother: () => false }

/** Builds the finder for names of a person; names of several words are ignored. */
export function loneNames(names: readonly string[]): LoneNames {
  const spelled = [...new Set(names.filter(isLoneName).map(spellingPattern))]
  if (spelled.length === 0) return NOBODY
  const any = `(?:${spelled.join('|')})`
  const inJson = `(?<=${QUOTE}(?:${KEY})${QUOTE}\\s*:\\s*${QUOTE}\\s*)${any}(?=\\s*${QUOTE})`
  const inForm = `(?<=(?:^|[?&\\s])(?:${KEY})=)${any}(?=$|[&\\s])`
  const pattern = new RegExp(`${inJson}|${inForm}`, 'giu')
  const [key, whole] = [new RegExp(`^(?:${KEY})$`, 'iu'), new RegExp(`^\\s*${any}\\s*$`, 'iu')]
  const isOfAnother = (text: string) => REACHED.test(text)
  return {
    isIn: (text) => text.search(pattern) >= 0 && !isOfAnother(text),
    replace: (text, mark) => text.replace(pattern, mark),
    isValue: (name, value) => key.test(name) && whole.test(value),
    isOfAnother,
  }
}
