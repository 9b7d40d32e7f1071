/** Address and phone number for the examples of the API reference. */
export const example = {
  country: 'DZ',
  countryCode: 'DZ',
  currency: 'DZD',
  currencyCode: 'DZD',
  stateCode: '16',
  stateName: 'Alger',
  city: 'Bab Ezzouar',
  cityName: 'Bab Ezzouar',
  address: 'Cité 5 Juillet, bâtiment 12',
  phone: '0550123456',
  phoneAlt: '0661234567',
  email: 'amina@example.dz',
  timeZone: 'Africa/Algiers',
  content: 'We deliver in all wilayas.',
} as const
