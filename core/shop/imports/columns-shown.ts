import type { SheetForm } from './sheet-form.ts'

/** Returns the columns of a sheet as they are shown. */
export const shownColumns = ({ columns, needs }: SheetForm) =>
  columns.map(({ name, headings, description }) => ({
    column: name,
    headings: [...headings],
    description,
    required: needs.some((names) => names.includes(name)),
  }))
