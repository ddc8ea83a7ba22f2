// The one door to the vendored library, and components that are drawn again only when what they show has changed.
import { Component, html, render, useCallback, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";

export { Component, html, render, useCallback, useEffect, useMemo, useRef, useState };

/** A component that is drawn again only if one of its properties is another value. */
export class Steady extends Component {
  /** @param {Record<string, any>} next */
  shouldComponentUpdate(next) {
    const now = this.props;
    return (
      Object.keys(next).some((name) => now[name] !== next[name]) || Object.keys(now).some((name) => !(name in next))
    );
  }
}
