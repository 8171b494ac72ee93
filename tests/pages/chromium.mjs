// A headless Chromium, driven over a pipe by its DevTools protocol. No package is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Chromium {
  static async start(program = process.env.CHROMIUM || "chromium") {
    const home = mkdtempSync(join(tmpdir(), "shogibar-chromium-"));
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
      "--remote-debugging-pipe", "--disable-background-timer-throttling", `--user-data-dir=${home}`, "about:blank"];
    const child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const browser = new Chromium();
    Object.assign(browser, { child, home, next: 1, waiting: new Map(), sessions: new Map(), rest: Buffer.alloc(0) });
    child.stdio[4].on("data", (bytes) => browser.receive(bytes));
    await browser.send("Browser.getVersion");
    return browser;
  }

  receive(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (let end = this.rest.indexOf(0); end >= 0; end = this.rest.indexOf(0)) {
      const message = JSON.parse(this.rest.subarray(0, end).toString());
      this.rest = this.rest.subarray(end + 1);
      const waiting = this.waiting.get(message.id);
      if (!waiting) continue;
      this.waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(JSON.stringify(message.error)));
      else waiting.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return answer;
  }

  // Opens a page of this size, with nothing behind it.
  async open(url, width, height, { mobile = false, wait = true } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    await page.send("Page.enable");
    await page.send("Emulation.setDefaultBackgroundColorOverride", { color: { r: 0, g: 0, b: 0, a: 0 } });
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    await page.send("Page.navigate", { url });
    if (wait) await page.until("document.fonts.status === 'loaded' && document.documentElement.dataset.drawn > 0");
    return page;
  }

  async close() {
    await this.send("Browser.close").catch(() => {});
    await new Promise((resolve) => (this.child.exitCode === null ? this.child.once("exit", resolve) : resolve()));
    rmSync(this.home, { recursive: true, force: true });
  }
}

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  async value(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(JSON.stringify(answer.exceptionDetails));
    return answer.result.value;
  }

  // Waits until an expression is true. A minute is reached by a failure only.
  async until(expression) {
    for (let tries = 0; tries < 600; tries++) {
      // While a page is being left, it has no contents.
      if (await this.value(expression).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`never true: ${expression}`);
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
