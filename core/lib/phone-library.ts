import { lazy } from './lazy.ts'

/** Returns the library of numbering plans. It is loaded with its tables at the first phone number. */
export const phoneLibrary = lazy(() => require('libphonenumber-js/max') as typeof import('libphonenumber-js/max'))
