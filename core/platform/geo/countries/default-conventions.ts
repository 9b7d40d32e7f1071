import type { AddressConventions } from '../catalogue/catalogue.ts'

const split = (words: string) => words.split('|')
const FRENCH = 'province|prefecture|region|gouvernorat|delegation|commune|ville|centre ville'
const ENGLISH = 'governorate|state|district|county|city|town'
const ARABIC = 'ولايه|محافظه|اقليم|عماله|جهه|معتمديه|مركز|بلديه|جماعه|مدينه'

/** Address conventions in French, English and Arabic, for imported countries. Digits are derived from their places. */
export const defaultConventions: Omit<AddressConventions, 'digits'> = {
  leadingWords: split(`${FRENCH}|${ENGLISH}|${ARABIC}`),
  elidingWords: split('province|prefecture|region|gouvernorat|delegation|commune|ville|centre'),
  trailingWords: split('centre ville|centre|center|ville|chef lieu|city|governorate|وسط|المدينه|وسط المدينه'),
}
