/** Removes white space and invisible characters from a code that a user typed or pasted. */
export const stripTypedCode = (typed: string): string => typed.replace(/[\s\p{Cf}]/gu, '')
