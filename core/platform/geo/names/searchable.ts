import { fold } from './fold.ts'

/** Builds the searchable text of a place: its folded names, each after a bar, which no folded name contains. */
export const searchableNames = ({ name, nameAr }: { readonly name: string; readonly nameAr?: string | null }) =>
  [name, nameAr ?? ''].map((each) => `|${fold(each)}`).join('')
