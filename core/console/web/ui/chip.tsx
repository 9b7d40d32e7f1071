import '../styles/chip.css'
import type { ComponentChildren } from 'preact'
import { Icon } from './icons.tsx'

interface ChipProps {
  readonly children: ComponentChildren
  /** Text of the button that removes the chip, as it is read aloud. */
  readonly removeLabel?: string
  /** Removes the chip. A chip without it has no button. */
  readonly onRemove?: (() => void) | undefined
}

/** Shows one of several values, such as a filter or a tag, with a button that removes it. */
export const Chip = ({ children, removeLabel, onRemove }: ChipProps) => (
  <span class="chip">
    {children}
    {onRemove && (
      <button type="button" class="chip-remove" aria-label={removeLabel} onClick={onRemove}>
        <Icon name="close" size={14} />
      </button>
    )}
  </span>
)
