import { fold } from './fold.ts'

/** The names of a place as they are searched for: folded, each after a bar, which stands in no folded name. */
export const searchable = ({ name, nameAr }: { readonly name: string; readonly nameAr?: string | null }) =>
  [name, nameAr ?? ''].map((each) => `|${fold(each)}`).join('')
