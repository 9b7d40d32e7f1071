import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../../../../session/store.tsx'
import { Chip } from '../../../../ui/chip.tsx'
import { Icon } from '../../../../ui/icons.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Name } from '../../../../ui/values.tsx'
import { formatDay, formatMoney } from '../../../../words/format.ts'
import { t } from '../../../../words/words.ts'
import { type Choice, useAgents, useCarriers } from '../../people.ts'
import { FilterSheet } from './filter-sheet.tsx'
import { wordOfValue } from './filter-words.ts'
import { changeFilters, type OrderFilters, type ShownFilter, shownFilters } from './filters.ts'
import { SaveFilter } from './saved-filters.tsx'

/** Milliseconds without a key after which a search begins. */
const PAUSE_MS = 250

interface FilterLineProps {
  readonly filters: OrderFilters
  readonly onChange: (filters: OrderFilters) => void
  readonly onSearch: (text: string) => void
  readonly isActive: boolean
}

/** Search box, filters in force, and the button that opens all of them. */
export function FilterLine({ filters, onChange, onSearch, isActive }: FilterLineProps) {
  const search = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useKeys({ '/': () => search.current?.focus(), f: () => setIsOpen(true) }, { isActive: isActive && !isOpen })
  return (
    <search class="filter-line">
      <SearchBox input={search} text={filters.q ?? ''} onSearch={onSearch} />
      <button type="button" class="button" aria-keyshortcuts="F" onClick={() => setIsOpen(true)}>
        <Icon name="filter" />
        {t('orders.filter')}
      </button>
      {shownFilters.map((name) => {
        const value = filters[name]
        return (
          value && (
            <FilterChip key={name} name={name} value={value} onRemove={() => onChange(changeFilters(filters, { [name]: undefined }))} />
          )
        )
      })}
      <SaveFilter filters={filters} />
      {isOpen && (
        <FilterSheet
          filters={filters}
          onClose={() => setIsOpen(false)}
          onApply={(next) => {
            setIsOpen(false)
            onChange(next)
          }}
        />
      )}
    </search>
  )
}

interface SearchBoxProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onSearch: (text: string) => void
}

function SearchBox({ input, text, onSearch }: SearchBoxProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(text)
  const search = (value: string) => {
    clearTimeout(timer.current)
    sent.current = value.trim()
    onSearch(sent.current)
  }
  useLayoutEffect(() => {
    // Back and forward change the text from outside; what is being typed stays.
    if (input.current && text !== sent.current) input.current.value = text
    sent.current = text
  }, [text, input])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      ref={input}
      class="input search"
      type="search"
      maxLength={200}
      defaultValue={text}
      aria-label={t('orders.search')}
      placeholder={t('orders.search')}
      onInput={({ currentTarget: { value } }) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(value), PAUSE_MS)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(event.currentTarget.value)
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}

interface FilterChipProps {
  readonly name: ShownFilter
  readonly value: string
  readonly onRemove: () => void
}

function FilterChip({ name, value, onRemove }: FilterChipProps) {
  const { timeZone, currencyCode } = useStore()
  const label = t(`orders.filter.${name}`)
  return (
    <Chip removeLabel={t('orders.removeFilter', { filter: label })} onRemove={onRemove}>
      <span class="muted">{label}</span>
      <Name>{describeValue(name, value, { timeZone, currencyCode, named: [...useAgents(), ...useCarriers()] })}</Name>
    </Chip>
  )
}

interface ValueContext {
  readonly timeZone: string
  readonly currencyCode: string
  /** Agents and carriers, for a filter that holds their ids. */
  readonly named: readonly Choice[]
}

function describeValue(name: ShownFilter, value: string, { timeZone, currencyCode, named }: ValueContext): string {
  if (name === 'assignedTo' && value === 'none') return t('orders.nobody')
  if (name === 'minTotal' || name === 'maxTotal') return Number.isNaN(Number(value)) ? value : formatMoney(Number(value), currencyCode)
  if (name === 'from' || name === 'to' || name === 'waitingSince') {
    const at = Date.parse(value) - (name === 'from' ? 0 : 1)
    return Number.isNaN(at) ? value : formatDay(new Date(at).toISOString(), timeZone)
  }
  const wordOf = (each: string) => named.find(({ id }) => id === each)?.name ?? wordOfValue(name, each)
  return value
    .split(',')
    .map((each) => wordOf(each) ?? each)
    .join(', ')
}
