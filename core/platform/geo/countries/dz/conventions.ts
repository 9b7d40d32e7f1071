import type { AddressConventions } from '../../catalogue/catalogue.ts'

const split = (words: string) => words.split('|')

/** Address conventions of Algeria. */
export const algerianConventions: AddressConventions = {
  leadingWords: split(
    'wilaya|wilayat|willaya|wilaia|wil|w|dz|province|commune|comune|communes|baladia|baladiya|baladiyat|baladiyet|baladyat|apc|daira|dayra|daerat|ville|centre ville|ولايه|بلديه|دائره|مدينه|بلدي|ولاي',
  ),
  elidingWords: split('wilaya|commune|daira|ville|centre'),
  trailingWords: split('centre ville|centre|center|ville|chef lieu|وسط|المدينه|وسط المدينه|الجزاير|algerie'),
  digits: { state: 2, city: 4, post: 5, stateInPost: 2 },
}
