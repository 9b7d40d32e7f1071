/** Meanings of values that belong together, by value. */
export type Meanings = Readonly<Record<string, string>>
