import type { Manner } from '../catalogue/catalogue.ts'

const split = (words: string) => words.split('|')
const FRENCH = 'province|prefecture|region|gouvernorat|delegation|commune|ville|centre ville'
const ENGLISH = 'governorate|state|district|county|city|town'
const ARABIC = 'ولايه|محافظه|اقليم|عماله|جهه|معتمديه|مركز|بلديه|جماعه|مدينه'

/** Address conventions in French, English and Arabic, for imported countries. Digits are derived from their places. */
export const usualManner: Omit<Manner, 'digits'> = {
  leads: split(`${FRENCH}|${ENGLISH}|${ARABIC}`),
  elides: split('province|prefecture|region|gouvernorat|delegation|commune|ville|centre'),
  tails: split('centre ville|centre|center|ville|chef lieu|city|governorate|وسط|المدينه|وسط المدينه'),
}
