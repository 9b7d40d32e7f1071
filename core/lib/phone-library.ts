import { lazy } from './lazy.ts'

/** Returns the library of numbering plans. Loaded at the first phone number, because its tables take memory and time at a start. */
export const phoneLibrary = lazy(() => require('libphonenumber-js/max') as typeof import('libphonenumber-js/max'))
