import type { SheetForm } from './sheet-form.ts'

/** Presents the columns of a sheet, with the headings that are recognized. */
export const presentColumns = ({ columns, needs }: SheetForm) =>
  columns.map(({ name, headings, description }) => ({
    column: name,
    headings: [...headings],
    description,
    required: needs.some((names) => names.includes(name)),
  }))
