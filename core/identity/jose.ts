import { lazy } from '../lib/lazy.ts'

/**
 * Returns the library for JSON web tokens. It is loaded at first use, since few servers see such tokens. Call it outside of a `try` or
 * `catch` about a token: a library that cannot be loaded is no invalid token.
 */
export const jose = lazy(() => require('jose') as typeof import('jose'))
