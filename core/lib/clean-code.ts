/** A code as somebody typed or pasted it, without the spaces and invisible marks around and within it. */
export const cleanCode = (typed: string): string => typed.replace(/[\s\p{Cf}]/gu, '')
