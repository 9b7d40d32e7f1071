import type { TestApp } from './app.ts'

/** Every row of a list, page by page. */
export async function allOf<Row>({ ok }: Pick<TestApp, 'ok'>, path: string, as: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page: { data: Row[]; nextCursor: string | null } = await ok('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, { as })
    rows.push(...page.data)
    cursor = page.nextCursor
  }
  return rows
}
