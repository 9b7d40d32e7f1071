/** Meanings of related values, by value. */
export type Meanings = Readonly<Record<string, string>>
