import type { ComponentChildren } from 'preact'
import { Name } from '../values.tsx'

interface ChecksProps {
  readonly label: string
  /** Name of the field in the form, which holds each chosen value. */
  readonly name: string
  readonly chosen?: readonly string[]
  readonly choices: readonly (readonly [value: string, text: string])[]
  /** True to take the whole width of a form in columns. */
  readonly isWide?: boolean
  /** Shown below the choices. */
  readonly children?: ComponentChildren
}

/** Shows choices of which any number can be ticked. */
export const Checks = ({ label, name, chosen = [], choices, isWide = false, children }: ChecksProps) => (
  <fieldset class={isWide ? 'choices whole-row' : 'choices'}>
    <legend>{label}</legend>
    {choices.map(([value, text]) => (
      <label key={value} class="check">
        <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
        <Name inline>{text}</Name>
      </label>
    ))}
    {children}
  </fieldset>
)
