import type { Json } from './parcels.ts'

/** RFC 7807, with the code as its title where the carrier has one. */
export const problem = (status: number, title: string, detail: string, errors?: Readonly<Record<string, readonly string[]>>) =>
  Response.json(
    { type: `https://httpstatuses.io/${status}`, title, status, detail, instance: '/api/v1', ...(errors && { errors }) },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

export const notFound = () => problem(404, 'NotFound', 'The resource was not found')
export const nothing = () => new Response(null, { status: 204 })

/** One page, as `<resource>/search` answers. */
export function paged(rows: readonly unknown[], body: Json): Response {
  const pageSize = Number(body.pageSize ?? 10)
  const pageNumber = Number(body.pageNumber ?? 1)
  if (!(pageSize >= 1 && pageSize <= 1000)) return problem(400, 'Validation', 'Invalid', { pageSize: ['between 1 and 1000'] })
  const totalPages = Math.ceil(rows.length / pageSize)
  return Response.json({
    items: rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
    pageNumber,
    pageSize,
    totalCount: rows.length,
    totalPages,
    hasPrevious: pageNumber > 1,
    hasNext: pageNumber < totalPages,
  })
}

/** Minds accents and case, and looks into every field but where it is told which. */
export function matching(rows: readonly Json[], body: Json): Json[] {
  const { fields, keyword = body.keyword } = (body.advancedSearch ?? {}) as { fields?: string[]; keyword?: unknown }
  if (typeof keyword !== 'string' || keyword === '') return [...rows]
  return rows.filter((row) => (fields ?? Object.keys(row)).some((field) => String(row[field] ?? '').includes(keyword)))
}
