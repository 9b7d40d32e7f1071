/** Page of a list of the API. */
export interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
}

/** Query of a page. */
export interface PageQuery {
  readonly limit: number
  readonly cursor?: string
}

const PAGE = 100

/** Reads a list page by page, to its end or to `pagesMax` pages of 100. */
export async function readAllPages<Row>(read: (query: PageQuery) => Promise<ListPage<Row>>, pagesMax: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page += 1) {
    const answer: ListPage<Row> = await read({ limit: PAGE, ...(cursor !== null && { cursor }) })
    rows.push(...answer.data)
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return rows
}
