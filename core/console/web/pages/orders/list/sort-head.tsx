import type { ComponentChildren } from 'preact'

interface SortHeadProps {
  readonly class: string
  readonly field: string
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
  readonly children: ComponentChildren
}

/** Heading that sorts by its column: the largest or newest first, then the other way round. */
export function SortHead({ class: name, field, sort = '-createdAt', onSort, children }: SortHeadProps) {
  const isDescending = sort === `-${field}`
  const isSorted = isDescending || sort === field
  return (
    <th class={name} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="sort" onClick={() => onSort(isDescending ? field : `-${field}`)}>
        {children}
        {isSorted && <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>}
      </button>
    </th>
  )
}
